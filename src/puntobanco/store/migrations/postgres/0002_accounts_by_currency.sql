create table accounts (
    name text not null,
    currency text not null,
    balance bigint not null check (balance >= 0),
    primary key (name, currency)
);

create table postings (
    id text primary key,
    account text not null,
    currency text not null,
    amount bigint not null,
    at bigint not null
);
