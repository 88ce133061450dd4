extension CentreSchema {
  /// Each site has a role of its own, which reads and writes the rows of that site alone: a box in a shop is what gets stolen, and its
  /// password with it. What follows is written against somebody who has such a role, and not castq-link, in hand.
  static let version4 = roles + months + lease

  /// Who may act for which site. The owner of the tables is bound by nothing of this.
  private static let roles = """
    CREATE TABLE site_role (
      role text NOT NULL,
      -- `*` reads every site, and writes none.
      site text NOT NULL,
      PRIMARY KEY (role, site)
    );
    COMMENT ON TABLE site_role IS 'castq: which role may act for which site';
    -- A role that has the name of a site is that site's.
    INSERT INTO site_role SELECT rolname, name FROM site JOIN pg_roles ON rolname = name;

    -- The sites of the role that is connected. Within a function of another's rights only session_user says who that is.
    CREATE FUNCTION castq_sites() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER AS
      $$ SELECT coalesce(array_agg(site), '{}') FROM site_role WHERE role = session_user $$;

    ALTER TABLE play ENABLE ROW LEVEL SECURITY;
    ALTER TABLE site ENABLE ROW LEVEL SECURITY;
    ALTER TABLE lease ENABLE ROW LEVEL SECURITY;
    ALTER TABLE site_role ENABLE ROW LEVEL SECURITY;
    -- As a subquery it is asked once for each statement, and not for each row.
    CREATE POLICY castq_own ON play USING (site <> '*' AND site = ANY ((SELECT castq_sites())::text[]));
    CREATE POLICY castq_own ON site USING (name <> '*' AND name = ANY ((SELECT castq_sites())::text[]));
    CREATE POLICY castq_all ON play FOR SELECT USING ('*' = ANY ((SELECT castq_sites())::text[]));
    CREATE POLICY castq_all ON site FOR SELECT USING ('*' = ANY ((SELECT castq_sites())::text[]));

    -- A view reads with the rights of its owner, whom no policy binds. Before PostgreSQL 15 it cannot do otherwise: it is the owner's.
    DO $$
    DECLARE one text; other text;
    BEGIN
      FOREACH one IN ARRAY ARRAY['report_site', 'report_device', 'report_media', 'report_day', 'clock_set_back'] LOOP
        IF current_setting('server_version_num')::integer >= 150000 THEN
          EXECUTE format('ALTER VIEW %I SET (security_invoker = true)', one);
        ELSE
          FOR other IN SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
            FROM pg_class, aclexplode(relacl) WHERE oid = one::regclass AND grantee <> relowner
          LOOP EXECUTE format('REVOKE ALL ON %I FROM %s', one, other); END LOOP;
        END IF;
      END LOOP;
      -- Who may make tables here makes one in the name of a month.
      BEGIN
        EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
      EXCEPTION WHEN insufficient_privilege THEN NULL;
      END;
    END $$;

    """

  /// A site has its months made: none that the centre would not have made in time.
  private static let months = """
    -- The month some time from now, by the centre's clock, as 202612.
    CREATE FUNCTION castq_month(ahead interval) RETURNS bigint LANGUAGE sql STABLE AS
      $$ SELECT to_char((now() AT TIME ZONE 'UTC') + ahead, 'YYYYMM')::bigint $$;

    -- The first month with a partition of its own: the past before it lies in `play_past`.
    CREATE FUNCTION castq_first_month() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER AS
      $$ SELECT to_char((applied_at AT TIME ZONE 'UTC') - interval '2 months', 'YYYYMM')::bigint
         FROM castq_schema WHERE version = 4 $$;

    -- Makes the partition of a month, and that of the next month, so that it is there before anybody needs it. No lock is taken that an
    -- open transaction of a site could hold up, or that a site could take.
    CREATE OR REPLACE FUNCTION castq_make_month(month bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE one bigint;
    BEGIN
      IF month > castq_month('2 months') THEN
        RAISE EXCEPTION 'month % lies more than two months ahead of the clock of the centre', month
          USING ERRCODE = 'datetime_field_overflow';
      END IF;
      FOREACH one IN ARRAY ARRAY[month, castq_month('1 month')] LOOP
        CONTINUE WHEN one < castq_first_month() OR to_regclass('play_' || one) IS NOT NULL;
        IF one % 100 NOT BETWEEN 1 AND 12 THEN RAISE EXCEPTION 'no month: %', one; END IF;
        LOCK TABLE play IN SHARE UPDATE EXCLUSIVE MODE;
        CONTINUE WHEN to_regclass('play_' || one) IS NOT NULL;
        EXECUTE format('CREATE TABLE %I (LIKE play INCLUDING DEFAULTS)', 'play_' || one);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', 'play_' || one);
        EXECUTE format('ALTER TABLE play ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', 'play_' || one,
          one * 1000000000, (one + 1) * 1000000000);
      END LOOP;
    END $$;

    DO $$
    DECLARE part regclass; month bigint; number integer := 0; lower text := 'MINVALUE';
      first CONSTANT bigint := castq_month('-2 months');
    BEGIN
      -- A partition that somebody may read directly is bound by its own policies: there are none.
      FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'play'::regclass LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', part);
      END LOOP;
      -- The past, in so many pieces as months before have left.
      FOR month IN
        SELECT substring(relname FROM '^play_(\\d+)$')::bigint AS found FROM pg_inherits JOIN pg_class ON oid = inhrelid
        WHERE inhparent = 'play'::regclass AND relname ~ '^play_\\d+$' AND substring(relname FROM '^play_(\\d+)$')::bigint < first
        UNION SELECT first ORDER BY 1
      LOOP
        IF lower <> (month * 1000000000)::text THEN
          EXECUTE format('CREATE TABLE %I PARTITION OF play FOR VALUES FROM (%s) TO (%s)',
            'play_past' || CASE number WHEN 0 THEN '' ELSE '_' || number END, lower, month * 1000000000);
          EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY',
            'play_past' || CASE number WHEN 0 THEN '' ELSE '_' || number END);
          number := number + 1;
        END IF;
        lower := ((month + 1) * 1000000000)::text;
      END LOOP;
    END $$;

    """

  /// The lease of a site is that of a session which has a lock with a number that nobody can guess, and by the row that says which session
  /// and role that is: anybody may take any advisory lock, but not as another role.
  private static let lease = """
    ALTER TABLE lease ADD COLUMN key bigint, ADD COLUMN pid integer, ADD COLUMN role oid;
    -- What no daemon accepts, or will not after so many changes of the box.
    UPDATE lease SET epoch = 0 WHERE epoch NOT BETWEEN 0 AND \(longestEpoch);

    CREATE OR REPLACE FUNCTION castq_lease(of_site text, for_box text, known bigint)
    RETURNS TABLE (held boolean, newest bigint, holder text)
    LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE found lease%ROWTYPE; own CONSTANT oid := to_regrole(quote_ident(session_user))::oid;
    BEGIN
      IF NOT (of_site <> '*' AND of_site = ANY (castq_sites()) OR pg_has_role(session_user, current_user, 'MEMBER')) THEN
        RAISE EXCEPTION 'role % may not act for site %', session_user, of_site USING ERRCODE = 'insufficient_privilege';
      END IF;
      INSERT INTO lease (site) VALUES (of_site) ON CONFLICT DO NOTHING;
      SELECT * INTO STRICT found FROM lease WHERE site = of_site FOR UPDATE;
      IF found.pid IS DISTINCT FROM pg_backend_pid() OR NOT coalesce(pg_try_advisory_lock_shared(found.key), false) THEN
        IF EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
          WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.pid = found.pid AND a.usesysid = found.role
            AND l.pid <> pg_backend_pid() AND (l.classid::bigint << 32) | l.objid::bigint = found.key)
        THEN
          RETURN QUERY SELECT false, found.epoch, found.box;
          RETURN;
        END IF;
        LOOP
          found.key := ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 18, 15))::bit(60)::bigint;
          EXIT WHEN pg_try_advisory_lock_shared(found.key);
        END LOOP;
        UPDATE lease SET key = found.key, pid = pg_backend_pid(), role = own WHERE site = of_site;
      END IF;
      UPDATE lease SET epoch = greatest(epoch, least(known, epoch + 1)) + 1, box = for_box, granted_at = now()
        WHERE site = of_site AND NOT (epoch = known AND box = for_box);
      RETURN QUERY SELECT true, l.epoch, l.box FROM lease l WHERE l.site = of_site;
    END $$;

    -- A name is looked up here, and in tables of a session last: else a session puts its own in their place.
    DO $$
    DECLARE one regprocedure; other text;
    BEGIN
      FOREACH one IN ARRAY ARRAY['castq_sites()', 'castq_month(interval)', 'castq_first_month()', 'castq_make_month(bigint)',
        'castq_lease(text, text, bigint)']::regprocedure[]
      LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', one, current_schema());
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        -- Who could send plays or read them still can, once it is known of which site.
        FOR other IN SELECT DISTINCT quote_ident(pg_get_userbyid(grantee)) FROM pg_class, aclexplode(relacl)
          WHERE oid = 'play'::regclass AND grantee NOT IN (0, relowner)
            AND (privilege_type = 'INSERT' OR privilege_type = 'SELECT' AND one = 'castq_sites()'::regprocedure)
        LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', one, other); END LOOP;
      END LOOP;
    END $$;
    """

  /// The highest epoch that a site can come to in fact: a million below the highest that a daemon accepts.
  static let longestEpoch = 1 << 53 - 1_000_001
}
