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

drop function append_events(text, bigint, text, bytea[], bigint[], text[], bytea[], text[], bigint[]);

-- As before, with documents and the command that must have led to the expected version, and whoever listens is told.
create function append_events(
    to_log text, expected bigint, follows text, command text, new_lines bytea[],
    beside_versions bigint[], beside_kinds text[], beside_lines bytea[],
    move_accounts text[], move_amounts bigint[],
    kinds text[], keys text[], contents bytea[], versions bigint[],
    out became text, out one bigint, out two bigint, out account text
) language plpgsql as $$
begin
    select 'repeated', c.first, c.last into became, one, two from commands c where c.log = to_log and c.id = command;
    if found then return; end if;
    if expected > 0 and not exists (select from events e where e.log = to_log and e.version = expected) then
        became := 'conflict';
    elsif follows <> '' then
        if not exists (select from commands c where c.log = to_log and c.id = follows and c.last = expected) then
            became := 'conflict';
        end if;
    end if;
    if became = 'conflict' then
        select coalesce(max(e.version), 0) into one from events e where e.log = to_log;
        return;
    end if;
    begin
        insert into events
            select to_log, expected + n.place, n.line from unnest(new_lines) with ordinality as n (line, place);
        insert into commands values (to_log, command, expected + 1, expected + cardinality(new_lines));
        insert into beside
            select to_log, b.version, b.kind, b.line
            from unnest(beside_versions, beside_kinds, beside_lines) as b (version, kind, line);
        if cardinality(kinds) > 0 then
            select k.stale, k.found_version into two, one from keep_documents(kinds, keys, contents, versions) k;
            if two is not null then
                raise exception using errcode = 'PB001';
            end if;
        end if;
        for place in 1 .. cardinality(move_accounts) loop
            account := move_accounts[place];
            two := move_amounts[place];
            insert into accounts values (account, 0) on conflict do nothing;
            update accounts a set balance = a.balance + two where a.name = account;
        end loop;
        became := 'done';
    exception
        when sqlstate 'PB001' then
            became := 'stale';
        when unique_violation then
            select 'repeated', c.first, c.last into became, one, two
                from commands c where c.log = to_log and c.id = command;
            if not found then
                became := 'conflict';
                select coalesce(max(e.version), 0) into one from events e where e.log = to_log;
            end if;
        when check_violation then
            became := 'overdrawn';
            two := -two;
            select a.balance into one from accounts a where a.name = account;
            one := coalesce(one, 0);
    end;
    -- not inside the block: what is told in a savepoint costs more
    if became = 'done' then
        perform tell(to_log);
    end if;
end
$$;
