create table faults (
    log text primary key,
    at bigint not null,
    reason text not null
);

create table settings (
    name text primary key,
    value text not null
);
