create table documents (
    kind text not null,
    key text not null,
    content blob not null,
    version integer not null check (version > 0),
    primary key (kind, key)
) strict, without rowid;
