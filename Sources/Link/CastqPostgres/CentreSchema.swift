/// The tables and views of the centre.
enum CentreSchema {
  /// One step for each version. Append only: a released step never changes.
  static let steps = [version1, version2, version3, version4]

  /// Why plays ended, and what format 2 of their seals is over.
  private static let version3 = """
    ALTER TABLE play ADD COLUMN cause text, ADD COLUMN caused_by text, ADD COLUMN rate double precision,
      ADD COLUMN unobserved_s double precision, ADD COLUMN attempt bigint, ADD COLUMN nonce text, ADD COLUMN proof_format bigint;
    """

  /// Which of the boxes of a site feeds it. The lock is that of the box's session, which ends when the box is silent; the row keeps
  /// the epoch beyond it.
  private static let version2 = """
    CREATE TABLE lease (
      site       text PRIMARY KEY,
      id         integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
      -- Grows with each box that gets the site.
      epoch      bigint NOT NULL DEFAULT 0,
      box        text NOT NULL DEFAULT '',
      granted_at timestamptz NOT NULL DEFAULT now()
    );
    COMMENT ON TABLE lease IS 'castq: which box feeds a site that has two';

    -- Takes the lease, or says who has it. `known` is the epoch that the box was given last: it keeps that one if nobody came between.
    CREATE FUNCTION castq_lease(of_site text, for_box text, known bigint)
    RETURNS TABLE (held boolean, newest bigint, holder text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    DECLARE found lease%ROWTYPE;
    BEGIN
      INSERT INTO lease (site) VALUES (of_site) ON CONFLICT DO NOTHING;
      SELECT * INTO STRICT found FROM lease WHERE site = of_site;
      IF NOT pg_try_advisory_lock(7305221, found.id) THEN
        RETURN QUERY SELECT false, found.epoch, found.box;
        RETURN;
      END IF;
      UPDATE lease SET epoch = greatest(epoch, known) + 1, box = for_box, granted_at = now()
        WHERE site = of_site AND NOT (epoch = known AND box = for_box);
      RETURN QUERY SELECT true, l.epoch, l.box FROM lease l WHERE l.site = of_site;
    END $$;
    """

  private static let version1 = """
    CREATE TABLE site (
      name       text PRIMARY KEY,
      first_seen timestamptz NOT NULL DEFAULT now(),
      last_seen  timestamptz NOT NULL DEFAULT now(),
      -- Plays that waited there when it was heard last.
      waiting    bigint NOT NULL DEFAULT 0,
      refused    bigint NOT NULL DEFAULT 0
    );
    COMMENT ON TABLE site IS 'castq: the sites, and when each was heard last';

    CREATE TABLE play (
      site             text NOT NULL,
      -- The order of the ends at the site. The digits before the last nine are the month.
      seq              bigint NOT NULL,
      play             bigint NOT NULL,
      entry            bigint NOT NULL,
      turn             bigint NOT NULL,
      device           text NOT NULL,
      title            text NOT NULL,
      url              text NOT NULL,
      source           text,
      line             bigint,
      started_at       timestamptz,
      ended_at         timestamptz NOT NULL,
      start_position_s double precision,
      end_position_s   double precision,
      played_s         double precision NOT NULL,
      duration_s       double precision,
      outcome          text NOT NULL,
      evidence         text NOT NULL,
      idle_reason      text,
      error_type       text,
      error_reason     text,
      detailed_code    bigint,
      note             text,
      gap_before_s     double precision,
      kind             text,
      rule_id          bigint,
      schedule         text,
      rule_revision    bigint,
      occurrence       text,
      planned_at       timestamptz,
      decision_id      bigint,
      chain            bigint,
      hash             text,
      device_key       text,
      clock_synchronised boolean,
      received_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (site, seq)
    ) PARTITION BY RANGE (seq);
    CREATE INDEX play_time ON play (coalesce(started_at, ended_at));
    COMMENT ON TABLE play IS 'castq: every play of every site, once; a partition for each month';

    -- Makes the partition of a month (202612). A role that may only insert can call it.
    CREATE FUNCTION castq_make_month(month bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
      IF month < 0 OR month > 999912 THEN RAISE EXCEPTION 'no month: %', month; END IF;
      IF to_regclass('play_' || month) IS NOT NULL THEN RETURN; END IF;
      PERFORM pg_advisory_xact_lock(7305214820);
      IF to_regclass('play_' || month) IS NOT NULL THEN RETURN; END IF;
      EXECUTE format('CREATE TABLE %I PARTITION OF play FOR VALUES FROM (%s) TO (%s)', 'play_' || month,
        month * 1000000000, (month + 1) * 1000000000);
    END $$;

    CREATE VIEW report_site AS SELECT site, count(*) AS plays, sum(played_s) AS shown_s,
      count(*) FILTER (WHERE outcome = 'finished') AS finished, count(*) FILTER (WHERE outcome = 'failed') AS failed,
      min(coalesce(started_at, ended_at)) AS first_at, max(ended_at) AS last_at FROM play GROUP BY site;
    CREATE VIEW report_device AS SELECT site, device, count(*) AS plays, sum(played_s) AS shown_s,
      count(*) FILTER (WHERE outcome = 'finished') AS finished, count(*) FILTER (WHERE outcome = 'failed') AS failed,
      max(ended_at) AS last_at FROM play GROUP BY site, device;
    CREATE VIEW report_media AS SELECT url, max(title) AS title, count(DISTINCT site) AS sites, count(*) AS plays,
      sum(played_s) AS shown_s, count(*) FILTER (WHERE outcome = 'finished') AS finished,
      count(*) FILTER (WHERE outcome = 'failed') AS failed FROM play GROUP BY url;
    CREATE VIEW report_day AS SELECT site, (coalesce(started_at, ended_at) AT TIME ZONE 'UTC')::date AS day,
      count(*) AS plays, sum(played_s) AS shown_s FROM play GROUP BY 1, 2;
    -- Where a later end has an earlier time: the clock of the site was set back. What nobody saw end does not count.
    CREATE VIEW clock_set_back AS SELECT site, seq, device, ended_at, before,
      extract(epoch FROM before - ended_at)::double precision AS back_s
      FROM (SELECT site, seq, device, ended_at, lag(ended_at) OVER (PARTITION BY site, device ORDER BY seq) AS before
        FROM play WHERE evidence = 'reported') AS ends
      WHERE ended_at < before - interval '1 minute';
    """
}
