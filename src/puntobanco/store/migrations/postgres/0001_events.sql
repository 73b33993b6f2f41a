create table events (
    log text not null,
    version bigint not null check (version > 0),
    line bytea not null,
    primary key (log, version)
);

create table beside (
    log text not null,
    version bigint not null,
    kind text not null,
    line bytea not null,
    primary key (log, version, kind)
);

create table commands (
    log text not null,
    id text not null,
    first bigint not null,
    last bigint not null,
    primary key (log, id)
);
