create table faults (
    log text primary key not null,
    at integer not null,
    reason text not null
) strict, without rowid;

create table settings (
    name text primary key not null,
    value text not null
) strict, without rowid;
