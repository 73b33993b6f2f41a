-- One append, whole or not at all: its exception block is the savepoint, so that many appends share a transaction and
-- one that fails leaves its neighbours alone. The answer is what became of it, and the numbers that go with that.
create function append_events(
    to_log text, expected bigint, command text, new_lines bytea[],
    beside_versions bigint[], beside_kinds text[], beside_lines bytea[],
    move_accounts text[], move_amounts bigint[],
    out became text, out one bigint, out two bigint, out account text
) language plpgsql as $$
declare
    violated text;
begin
    select 'repeated', c.first, c.last into became, one, two from commands c where c.log = to_log and c.id = command;
    if found then return; end if;
    if expected > 0 and not exists (select from events e where e.log = to_log and e.version = expected) then
        became := 'conflict';
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
        for place in 1 .. cardinality(move_accounts) loop
            account := move_accounts[place];
            two := move_amounts[place];
            insert into accounts values (account, 0) on conflict do nothing;
            update accounts a set balance = a.balance + two where a.name = account;
        end loop;
        became := 'done';
    exception
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
end
$$;
