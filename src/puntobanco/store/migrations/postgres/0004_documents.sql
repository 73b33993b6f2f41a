create table documents (
    kind text not null,
    key text not null,
    content bytea not null,
    version bigint not null check (version > 0),
    primary key (kind, key)
);

-- Whoever listens in this schema is told a name; of one too long for a notification, that anything may have changed.
create function tell(name text) returns void language plpgsql as $$
begin
    perform pg_notify(
        'puntobanco_' || md5(current_schema()), case when octet_length(name) < 7900 then name else '*' end
    );
end
$$;

-- The place of the first document that cannot be replaced, with the version it has; none if all were.
create function keep_documents(
    kinds text[], keys text[], contents bytea[], versions bigint[], out stale integer, out found_version bigint
) language plpgsql as $$
begin
    for place in 1 .. cardinality(kinds) loop
        if versions[place] = 0 then
            insert into documents values (kinds[place], keys[place], contents[place], 1) on conflict do nothing;
        else
            update documents d set content = contents[place], version = d.version + 1
                where d.kind = kinds[place] and d.key = keys[place] and d.version = versions[place];
        end if;
        if not found then
            stale := place;
            select d.version into found_version from documents d where d.kind = kinds[place] and d.key = keys[place];
            found_version := coalesce(found_version, 0);
            return;
        end if;
        perform tell('documents:' || kinds[place]);
    end loop;
end
$$;
