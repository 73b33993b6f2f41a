create table accounts (
    name text not null,
    currency text not null,
    balance integer not null check (balance >= 0),
    primary key (name, currency)
) strict, without rowid;

create table postings (
    id text primary key not null,
    account text not null,
    currency text not null,
    amount integer not null,
    at integer not null
) strict, without rowid;
