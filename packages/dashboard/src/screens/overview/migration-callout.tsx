// A zone that still has the legacy managed rules, alone or beside the new ones: what to do next.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { migrationStatus } from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { migrationStrings } from '../../strings/migration.ts'

const text = migrationStrings.callout

export function MigrationCallout({ zone }: { readonly zone: WireZone }) {
  const hasLegacy = zone.plan.legacy_id !== 'free'
  // Readers without permission for the firewall have nothing to do here.
  const { data: status } = useQuery({ ...migrationStatus(zone.id), enabled: hasLegacy })
  const state = status?.migration_state
  if (!hasLegacy || state === undefined || state === 'done') return null
  return (
    <div className="callout n">
      <span className="note">
        <Icon name="expected" />
      </span>
      <span>
        <b>{text[state]}</b>
      </span>
      <Link className="btn" to="/zones/$zone/migration" params={{ zone: zone.name }}>
        {text.links[state]}
      </Link>
    </div>
  )
}
