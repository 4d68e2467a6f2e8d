// A zone that still has the legacy managed rules, alone or beside the new ones: what to do next.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { migrationStatus } from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { migrationStrings } from '../../strings/migration.ts'

const text = migrationStrings.callout

/** Both versions run: somebody waits for this to be ended. */
export function MigrationCallout({ zone }: MigrationProps) {
  if (useMigrationState(zone) !== 'validation') return null
  return (
    <div className="callout n">
      <span className="note">
        <Icon name="expected" />
      </span>
      <span>
        <b>{text.validation}</b>
      </span>
      <Link className="btn" to="/zones/$zone/migration" params={{ zone: zone.name }}>
        {text.links.validation}
      </Link>
    </div>
  )
}

/** Nothing is wrong with the legacy rules, so this has no color. */
export function LegacyRules({ zone }: MigrationProps) {
  if (useMigrationState(zone) !== 'start') return null
  return (
    <Section
      title={text.head}
      note={
        <Link className="link" to="/zones/$zone/migration" params={{ zone: zone.name }}>
          {text.links.start}
        </Link>
      }
    >
      <p className="soft">{text.start}</p>
    </Section>
  )
}

interface MigrationProps {
  readonly zone: WireZone
}

/** undefined for zones without legacy rules, and for readers who may not see the firewall. */
function useMigrationState(zone: WireZone) {
  const { data } = useQuery({ ...migrationStatus(zone.id), enabled: zone.plan.legacy_id !== 'free' })
  return data?.migration_state
}
