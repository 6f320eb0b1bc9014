// Skills none of whose versions has been approved are withheld from strangers, whatever their visibility.

import type { Migration } from './index.ts';

export const withheld: Migration = {
  name: '0061-withheld',
  statements: [
    'alter table skills add column is_withheld boolean not null default false',
    `update skills s set is_withheld = true where exists (select from versions v where v.skill_id = s.id)
       and not exists (select from versions v where v.skill_id = s.id and v.review = 'approved')`,
  ],
};
