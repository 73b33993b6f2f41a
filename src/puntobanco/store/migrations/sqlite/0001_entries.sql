-- A line of a log for each command: it holds the events with the versions from its own to its last.
create table entries (
    log text not null,
    version integer not null check (version > 0),
    last integer not null check (last >= version),
    command text not null,
    line blob not null,
    primary key (log, version),
    unique (log, command)
) strict, without rowid;

create table beside (
    log text not null,
    version integer not null,
    kind text not null,
    line blob not null,
    primary key (log, version, kind)
) strict, without rowid;
