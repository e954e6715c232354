/** What a database's own catalogue says of it, so that two ways to make a database can be compared. */

/**
 * Queries about the schema `public`, each of which returns lines. They contain names of objects instead of their ids, which differ
 * between databases, and columns without their order.
 */
const SECTIONS: Record<string, string> = {
  tables: `
    select format('%s kind=%s secured=%s forced=%s owner=%s options=%s', relname, relkind, relrowsecurity, relforcerowsecurity,
      pg_get_userbyid(relowner) = current_user, reloptions)
    from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i'`,
  columns: `
    select format('%s.%s %s not null=%s default=%s identity=%s generated=%s storage=%s collation=%s', c.relname, a.attname,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attstorage,
      (select collname from pg_collation where oid = a.attcollation))
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped`,
  constraints: `
    select format('%s.%s %s valid=%s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace = 'public'::regnamespace`,
  indexes: `
    select format('%s valid=%s', pg_get_indexdef(indexrelid), indisvalid)
    from pg_index where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  policies: `
    select format('%s.%s %s %s to=%s using=%s check=%s', tablename, policyname, permissive, cmd, roles, qual, with_check)
    from pg_policies where schemaname = 'public'`,
  grants: `
    with held as (
      select relkind::text || ' ' || relname as name, relacl as acl from pg_class where relnamespace = 'public'::regnamespace
      union all select 'function ' || oid::regprocedure::text, proacl from pg_proc where pronamespace = 'public'::regnamespace
      union all select 'schema ' || nspname, nspacl from pg_namespace where nspname = 'public'
      union all select 'column ' || attrelid::regclass || '.' || attname, attacl from pg_attribute
        where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all select 'default ' || defaclobjtype::text, defaclacl from pg_default_acl)
    select format('%s: %s by %s to %s grantable=%s', name, privilege_type,
      case grantor when current_user::regrole then 'the owner' else grantor::regrole::text end,
      case grantee when current_user::regrole then 'the owner' when 0 then 'public' else grantee::regrole::text end, is_grantable)
    from held, aclexplode(acl)`,
  functions: `
    select pg_get_functiondef(oid) || ' owner=' || (pg_get_userbyid(proowner) = current_user)
    from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')`,
  triggers: `
    select format('%s enabled=%s', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
      and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select format('event %s %s', evtname, evtevent) from pg_event_trigger`,
  sequences: `
    select format('%s %s start=%s by=%s min=%s max=%s cache=%s cycle=%s of=%s', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement,
      s.seqmin, s.seqmax, s.seqcache, s.seqcycle, (select d.refobjid::regclass || '.' || a.attname from pg_depend d
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid where d.objid = s.seqrelid and d.deptype in ('i', 'a')))
    from pg_sequence s join pg_class c on c.oid = s.seqrelid where c.relnamespace = 'public'::regnamespace`,
  types: `
    select format('%s %s', typname, typtype) from pg_type where typnamespace = 'public'::regnamespace`,
  roles: `
    select format('%s super=%s bypass=%s login=%s createrole=%s inherit=%s', rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolinherit)
    from pg_roles where rolname like 'dt\\_%' and rolname not like 'dt\\_login%'
    union all select distinct format('%s has the owner of the database', roleid::regrole) from pg_auth_members
      where member = current_user::regrole and roleid::regrole::text like 'dt\\_%'`,
  others: `
    select 'extension ' || extname from pg_extension
    union all select 'statistics ' || pg_get_statisticsobjdef(oid) from pg_statistic_ext
    union all select 'rule ' || pg_get_ruledef(oid) from pg_rewrite where ev_class in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select 'comment ' || description from pg_description where objoid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select 'publication ' || pubname from pg_publication`,
  plans: `select (to_jsonb(p) - 'updated_at')::text from subscription_plans p`,
};

/**
 * @param query asks the database
 * @returns lines by section, sorted
 */
export async function readCatalogue(
  query: (statement: string) => Promise<{ rows: object[] }>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [section, statement] of Object.entries(SECTIONS)) {
    const { rows } = await query(statement);
    found[section] = rows.map((row) => String(Object.values(row)[0])).sort();
  }
  return found;
}
