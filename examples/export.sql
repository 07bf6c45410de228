-- Views over an export, and what they answer. In the folder that has `out`: duckdb -init examples/export.sql
-- Another folder: duckdb -cmd "SET VARIABLE out = 'DIR'" -init examples/export.sql

SET VARIABLE out = coalesce(getvariable('out'), 'out');
CREATE OR REPLACE TEMP TABLE manifest AS FROM read_json(getvariable('out') || '/manifest.json');
CREATE OR REPLACE MACRO files(parts) AS list_transform(parts, lambda part: getvariable('out') || '/' || part.file);
SET VARIABLE trades = (SELECT files(tables.trades.parts) FROM manifest);
SET VARIABLE launches = (SELECT files(tables.launches.parts) FROM manifest);
SET VARIABLE wallets = (SELECT files(tables.wallets.parts) FROM manifest);
SET VARIABLE positions = (SELECT files(tables.positions.parts) FROM manifest);
SET VARIABLE verdicts = (SELECT files(tables.verdicts.parts) FROM manifest);
SET VARIABLE readings = (SELECT files(tables.readings.parts) FROM manifest);
SET VARIABLE money = (SELECT files(tables.money.parts) FROM manifest);
CREATE OR REPLACE VIEW trades AS FROM read_parquet(getvariable('trades'));
CREATE OR REPLACE VIEW launches AS FROM read_parquet(getvariable('launches'));
CREATE OR REPLACE VIEW wallets AS FROM read_parquet(getvariable('wallets'));
CREATE OR REPLACE VIEW positions AS FROM read_parquet(getvariable('positions'));
CREATE OR REPLACE VIEW verdicts AS FROM read_parquet(getvariable('verdicts'));
CREATE OR REPLACE VIEW readings AS FROM read_parquet(getvariable('readings'));
CREATE OR REPLACE VIEW money AS FROM read_parquet(getvariable('money'));

-- Each verdict until the next one of its token; `until_slot` is null for the one in force.
CREATE OR REPLACE VIEW verdict_spans AS
SELECT *, lead(slot) OVER (PARTITION BY mint ORDER BY verdict_no) AS until_slot FROM verdicts;

-- What became of the price within an hour of each reading (or as many slots as `within_slots` says), as a share of the market
-- cap at the reading. Readings younger than that, and those before the first price, are left out.
SET VARIABLE within_slots = coalesce(getvariable('within_slots'), 9000);
CREATE OR REPLACE VIEW outcomes AS
WITH prices AS (
  SELECT mint, slot, arg_max(mcap_usd, trade_no) AS mcap_usd FROM trades WHERE mcap_usd > 0 GROUP BY ALL
), priced AS (
  SELECT readings.*, prices.mcap_usd FROM readings
  ASOF JOIN prices ON prices.mint = readings.mint AND prices.slot <= readings.slot
  WHERE readings.slot + getvariable('within_slots') <= (SELECT slot FROM manifest)
), later AS (
  SELECT reading_no, min(trades.mcap_usd) AS low, max(trades.mcap_usd) AS high FROM priced JOIN trades
    ON trades.mint = priced.mint AND trades.slot > priced.slot AND trades.mcap_usd > 0
    AND trades.slot <= priced.slot + getvariable('within_slots')
  GROUP BY reading_no
)
SELECT priced.*, least(low / mcap_usd, 1) AS lowest, greatest(high / mcap_usd, 1) AS highest
FROM priced LEFT JOIN later USING (reading_no);

-- What each cohort paid and got over all tokens, in SOL. A wallet may be in several cohorts.
CREATE OR REPLACE VIEW cohorts AS
SELECT cohort, count(*) AS tokens, sum(wallets) AS wallets, sum(paid_lamports) / 1e9 AS paid_sol,
  sum(got_lamports) / 1e9 AS got_sol, sum(got_lamports - paid_lamports) / 1e9 AS result_sol,
  avg((got_lamports > paid_lamports)::INT) AS tokens_won
FROM money WHERE wallets > 0 AND paid_lamports IS NOT NULL GROUP BY cohort;

-- The same for each confirmed group of a token.
CREATE OR REPLACE VIEW groups AS
SELECT mint, bundle_id, count(*) AS wallets, sum(paid_lamports) / 1e9 AS paid_sol, sum(got_lamports) / 1e9 AS got_sol
FROM positions WHERE bundle_id IS NOT NULL GROUP BY ALL;
