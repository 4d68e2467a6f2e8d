// Who gets the zone: peers with their serials, which are behind and since when.
import { useQuery } from '@tanstack/react-query'
import {
  outgoingOf,
  outgoingProgress,
  saveOutgoing,
  sendNotify,
  switchOutgoing,
  type WirePeer,
} from '../../api/transfers.ts'
import type { WireZone } from '../../api/zones.ts'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure } from '../../parts/states.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { transferStrings as text } from '../../strings/transfers.ts'
import { PeerChoice } from './peer-choice.tsx'
import { PeerStates } from './peer-states.tsx'

interface OutgoingProps {
  readonly zone: WireZone
  readonly peers: readonly WirePeer[] | undefined
}

export function Outgoing({ zone, peers }: OutgoingProps) {
  const outgoing = useQuery(outgoingOf(zone.id))
  const progress = useQuery(outgoingProgress(zone.id))
  const action = useZoneAction(zone.id)
  const failed = outgoing.error ?? progress.error
  if (failed !== null)
    return (
      <Failure error={failed} onRetry={() => void Promise.all([outgoing.refetch(), progress.refetch()])} />
    )
  if (outgoing.data === undefined || progress.data === undefined) return null
  const isEnabled = progress.data?.enabled === true
  return (
    <Section title={text.outgoing} note={isEnabled ? text.enabled : text.disabled}>
      <div className="stack">
        {outgoing.data === null && (
          <p>
            <b>{text.noOutgoing}</b> <span className="soft">{text.noOutgoingDetail}</span>
          </p>
        )}
        {isEnabled && progress.data !== null && <PeerStates peers={peers} progress={progress.data} />}
        {peers !== undefined && peers.length > 0 && (
          <PeerChoice
            key={outgoing.data?.peers.join(' ')}
            label={text.choose}
            peers={peers}
            chosen={outgoing.data === null ? [] : outgoing.data.peers}
            isBusy={action.isPending}
            onSave={(chosen) =>
              action.mutate({
                run: () => saveOutgoing(zone, chosen, outgoing.data === null),
                done: text.saved,
              })
            }
          />
        )}
        {outgoing.data !== null && (
          <div className="row">
            <button
              type="button"
              className={isEnabled ? 'btn' : 'btn primary'}
              disabled={action.isPending}
              onClick={() =>
                action.mutate({
                  run: () => switchOutgoing(zone.id, !isEnabled),
                  done: isEnabled ? text.disabledNow : text.enabledNow,
                })
              }
            >
              {isEnabled ? text.disable : text.enable}
            </button>
            {isEnabled && (
              <button
                type="button"
                className="btn"
                disabled={action.isPending}
                onClick={() => action.mutate({ run: () => sendNotify(zone.id), done: text.notified })}
              >
                {text.notify}
              </button>
            )}
          </div>
        )}
        <Problem error={action.error} />
      </div>
    </Section>
  )
}
