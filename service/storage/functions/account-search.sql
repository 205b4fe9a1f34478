-- The account search: which entries of a tenant (account_search) have this text in them. Its cost is bounded, whatever is
-- typed and however many entries there are: a sample shows what is common; the index is asked for what is rare alone.

-- p_search of one or two characters finds beginnings of words, a longer one any part. is_complete: false when there are
-- more than it gives, or may be: the person types more.
CREATE FUNCTION search_accounts(
  p_tenant_id bigint, p_search text, p_most integer, OUT entry_ids bigint[], OUT is_complete boolean)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- The sample: so many entries from each of so many parts of the tenant's entries, since those of one file come sorted.
  c_parts CONSTANT integer := 20;
  c_entries_of_a_part CONSTANT integer := 50;
  -- Where the index would be slow: some 5 ms.
  c_entries_of_a_wide_part CONSTANT integer := 400;
  -- The index reads as many entries as have the rarest part of the text: some 10 ms. Then it gives texts: some 3 ms.
  c_most_in_index CONSTANT integer := 5000;
  c_most_candidates CONSTANT integer := 2000;
  c_parts_of_text CONSTANT integer := 12;
  v_text text := account_search_text(ARRAY[p_search]);
  v_first bigint;
  v_width bigint;
  v_sample text[];
  v_is_whole boolean;
  v_entries double precision;
  v_parts text[];
  v_seen bigint;
  v_candidates bigint;
BEGIN
  entry_ids := '{}';
  is_complete := true;
  IF v_text = ' ' THEN RETURN; END IF;
  IF length(v_text) > 3 THEN v_text := substr(v_text, 2); END IF;
  SELECT min(s.entry_id), max(s.entry_id) - min(s.entry_id) + 1 INTO v_first, v_width
  FROM account_search s WHERE s.tenant_id = p_tenant_id;
  IF v_first IS NULL THEN RETURN; END IF;

  WITH sample AS MATERIALIZED (
    SELECT part.number, entry.entry_id, entry.text
    FROM generate_series(0, c_parts - 1) AS part (number)
    CROSS JOIN LATERAL (
      SELECT s.entry_id, s.text FROM account_search s
      WHERE s.tenant_id = p_tenant_id AND s.entry_id >= v_first + v_width * part.number / c_parts
        AND s.entry_id < v_first + v_width * (part.number + 1) / c_parts
      ORDER BY s.entry_id LIMIT c_entries_of_a_part
    ) AS entry
  ), parts AS (
    SELECT count(*) AS entries, max(entry_id) - min(entry_id) + 1 AS width FROM sample GROUP BY number
  )
  SELECT coalesce((SELECT array_agg(entry_id ORDER BY entry_id) FROM sample WHERE strpos(text, v_text) > 0), '{}'),
    (SELECT array_agg(text) FROM sample),
    max(parts.entries) < c_entries_of_a_part,
    sum(CASE WHEN parts.entries < c_entries_of_a_part THEN parts.entries
      ELSE parts.entries * greatest(1, v_width::double precision / c_parts / parts.width) END)
  INTO entry_ids, v_sample, v_is_whole, v_entries FROM parts;
  IF v_is_whole OR cardinality(entry_ids) > p_most THEN
    is_complete := cardinality(entry_ids) <= p_most;
    entry_ids := entry_ids[1:p_most];
    RETURN;
  END IF;

  -- The rarest three of some parts of three characters that are a word's, its beginning or its end: of no others can the
  -- index of pg_trgm say exactly where they are. It knows no capital letters.
  SELECT array_agg(rarest.part ORDER BY rarest.seen), min(rarest.seen) INTO v_parts, v_seen
  FROM (
    SELECT part, (SELECT count(*) FROM unnest(v_sample) AS text WHERE strpos(lower(text), lower(part)) > 0) AS seen
    FROM (
      SELECT DISTINCT substr(v_text, at, 3) AS part
      FROM generate_series(1, greatest(1, length(v_text) - 2), 1 + length(v_text) / c_parts_of_text) AS at
    ) AS parts
    WHERE part ~ '^(\w{3}| \w{1,2}|\w{2} )$'
    ORDER BY seen LIMIT 3
  ) AS rarest;
  IF v_parts IS NULL OR v_entries * v_seen / cardinality(v_sample) > c_most_in_index THEN
    SELECT coalesce(array_agg(entry.entry_id), '{}') INTO entry_ids
    FROM generate_series(0, c_parts - 1) AS part (number)
    CROSS JOIN LATERAL (
      SELECT s.entry_id, s.text FROM account_search s
      WHERE s.tenant_id = p_tenant_id AND s.entry_id >= v_first + v_width * part.number / c_parts
        AND s.entry_id < v_first + v_width * (part.number + 1) / c_parts
      ORDER BY s.entry_id LIMIT c_entries_of_a_wide_part
    ) AS entry
    WHERE strpos(entry.text, v_text) > 0;
    entry_ids := entry_ids[1:p_most];
    is_complete := false;
    RETURN;
  END IF;

  SELECT count(*), coalesce((array_agg(candidate.entry_id) FILTER (WHERE strpos(candidate.text, v_text) > 0)), '{}')
  INTO v_candidates, entry_ids
  FROM account_search_candidates(
    p_tenant_id, ARRAY[v_parts[1], coalesce(v_parts[2], v_parts[1]), coalesce(v_parts[3], v_parts[1])],
    c_most_candidates) AS candidate;
  is_complete := v_candidates < c_most_candidates AND cardinality(entry_ids) <= p_most;
  entry_ids := entry_ids[1:p_most];
END $$;
