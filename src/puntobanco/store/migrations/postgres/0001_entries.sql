-- A line of a log for each command: it holds the events with the versions from its own to its last.
create table entries (
    log text not null,
    version bigint not null check (version > 0),
    last bigint not null check (last >= version),
    command text not null,
    line bytea not null,
    primary key (log, version),
    unique (log, command)
);

create table beside (
    log text not null,
    version bigint not null,
    kind text not null,
    line bytea not null,
    primary key (log, version, kind)
);
