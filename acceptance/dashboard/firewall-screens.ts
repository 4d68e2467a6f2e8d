// The firewall screens apart from the migration.
import type { Screen } from './screens.ts'
import { SCORED_ZONE } from './firewall-site.ts'
import { ENTERPRISE_ZONE } from './wizard-site.ts'

export const FIREWALL_SCREENS: readonly Screen[] = [
  { name: 'managed-rules', path: `/zones/${SCORED_ZONE}/managed-rules` },
  {
    name: 'managed-rules-changed',
    path: `/zones/${SCORED_ZONE}/managed-rules`,
    prepare: (page) => page.getByRole('radio', { name: /^5\b/ }).check(),
  },
  { name: 'managed-rules-legacy', path: `/zones/${ENTERPRISE_ZONE}/managed-rules` },
]
