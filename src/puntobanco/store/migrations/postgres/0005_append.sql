-- One append, whole or not at all: its exception block is the savepoint, so that many appends share a transaction and
-- one that fails leaves its neighbours alone. The answer is what became of it, and the numbers that go with that.
-- It follows the last entry without a gap, or the command that must have led there; the primary key keeps two apart
-- that are at it at the same time. Whoever listens is told.
create function append_entry(
    to_log text, expected bigint, follows text, new_command text, new_line bytea, events bigint,
    beside_versions bigint[], beside_kinds text[], beside_lines bytea[],
    move_accounts text[], move_amounts bigint[], move_currency text,
    kinds text[], keys text[], contents bytea[], versions bigint[],
    out became text, out one bigint, out two bigint, out account text
) language plpgsql as $$
begin
    select 'repeated', e.version, e.last into became, one, two
        from entries e where e.log = to_log and e.command = new_command;
    if found then return; end if;
    one := coalesce((select e.last from entries e where e.log = to_log order by e.version desc limit 1), 0);
    if one <> expected then
        became := 'conflict';
    elsif follows <> '' then
        if not exists (select from entries e where e.log = to_log and e.command = follows and e.last = expected) then
            became := 'conflict';
        end if;
    end if;
    if became = 'conflict' then
        return;
    end if;
    begin
        insert into entries values (to_log, expected + 1, expected + events, new_command, new_line);
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
            insert into accounts values (account, move_currency, 0) on conflict do nothing;
            update accounts a set balance = a.balance + two where a.name = account and a.currency = move_currency;
        end loop;
        became := 'done';
    exception
        when sqlstate 'PB001' then
            became := 'stale';
        when unique_violation then
            select 'repeated', e.version, e.last into became, one, two
                from entries e where e.log = to_log and e.command = new_command;
            if not found then
                became := 'conflict';
                one := coalesce((select e.last from entries e where e.log = to_log order by e.version desc limit 1), 0);
            end if;
        when check_violation then
            became := 'overdrawn';
            two := -two;
            select a.balance into one from accounts a where a.name = account and a.currency = move_currency;
            one := coalesce(one, 0);
    end;
    -- not inside the block: what is told in a savepoint costs more
    if became = 'done' then
        perform tell(to_log);
    end if;
end
$$;
