create table accounts (
    name text primary key,
    balance bigint not null check (balance >= 0)
);

create table postings (
    id text primary key,
    account text not null,
    amount bigint not null,
    at bigint not null
);
