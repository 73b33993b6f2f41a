create table events (
    log text not null,
    version integer not null check (version > 0),
    line blob not null,
    primary key (log, version)
) strict, without rowid;

create table beside (
    log text not null,
    version integer not null,
    kind text not null,
    line blob not null,
    primary key (log, version, kind)
) strict, without rowid;

create table commands (
    log text not null,
    id text not null,
    first integer not null,
    last integer not null,
    primary key (log, id)
) strict, without rowid;
