// Downloads of a skill over time.

import type { Store } from '../store/index.ts';

/** Downloads of one day. */
export interface DayCount {
  /** `2026-11-16`, UTC. */
  readonly day: string;
  readonly count: number;
}

/** The last days up to today, oldest first; days without downloads are 0. */
export async function downloadsByDay(
  { database, now }: Store,
  skillId: number,
  days: number,
): Promise<DayCount[]> {
  const today = now().toISOString().slice(0, 10);
  return database.query<DayCount>(
    `select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.count, 0)::bigint as count
     from generate_series($2::date - ($3::integer - 1), $2::date, interval '1 day') as d (day)
     left join downloads_by_day c on c.skill_id = $1 and c.day = d.day::date order by d.day`,
    [skillId, today, days],
  );
}
