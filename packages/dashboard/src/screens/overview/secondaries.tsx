// The zone's secondaries in its overview: who is behind first, then all of them.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { outgoingProgress, peersOf, sendNotify } from '../../api/transfers.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { transferStrings as text } from '../../strings/transfers.ts'
import { nameOf, PeerStates } from '../transfers/peer-states.tsx'
import { serialsBehind } from '../transfers/serials.ts'

interface SecondariesProps {
  readonly zone: WireZone
}

export function LaggingSecondaries({ zone }: SecondariesProps) {
  const { data: progress } = useQuery(outgoingProgress(zone.id))
  const { data: peers } = useQuery(peersOf(zone.account.id))
  const action = useZoneAction(zone.id)
  if (progress === undefined || progress === null || !progress.enabled) return null
  const behind = progress.peers.filter(({ state }) => state === 'behind')
  return behind.map(({ id, transferred_serial: serial }) => (
    <div key={id} className="callout w">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <span>
        <b>
          {serial === null
            ? text.hasNothing(nameOf(peers, id))
            : text.isBehind(nameOf(peers, id), serialsBehind(serial, progress.soa_serial))}
        </b>
        <Problem error={action.error} />
      </span>
      <button
        type="button"
        className="btn"
        disabled={action.isPending}
        onClick={() => action.mutate({ run: () => sendNotify(zone.id), done: text.notified })}
      >
        {text.notify}
      </button>
    </div>
  ))
}

export function Secondaries({ zone }: SecondariesProps) {
  const { data: progress } = useQuery(outgoingProgress(zone.id))
  const { data: peers } = useQuery(peersOf(zone.account.id))
  if (progress === undefined || progress === null || !progress.enabled) return null
  return (
    <Section
      title={text.secondaries}
      note={
        <Link className="link" to="/zones/$zone/transfers" params={{ zone: zone.name }}>
          {text.title}
        </Link>
      }
    >
      <PeerStates peers={peers} progress={progress} />
    </Section>
  )
}
