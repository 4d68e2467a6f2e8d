// Who gets the zone: peers with their serials, which are behind and since when.
import { useQuery } from '@tanstack/react-query'
import {
  outgoingOf,
  outgoingProgress,
  saveOutgoing,
  sendNotify,
  switchOutgoing,
  type WireOutgoingProgress,
  type WirePeer,
} from '../../api/transfers.ts'
import type { WireZone } from '../../api/zones.ts'
import { Problem } from '../../parts/problem.tsx'
import { Failure } from '../../parts/states.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age } from '../../parts/time.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { transferStrings as text } from '../../strings/transfers.ts'
import { PeerChoice } from './peer-choice.tsx'
import { serialsBehind } from './serials.ts'

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
    <section className="sec">
      <div>
        <h2>{text.outgoing}</h2>
        <p>{isEnabled ? text.enabled : text.disabled}</p>
      </div>
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
    </section>
  )
}

type PeerState = WireOutgoingProgress['peers'][number]

const TONES: Readonly<Record<PeerState['state'], Tone>> = {
  current: 'normal',
  behind: 'warning',
  unknown: 'off',
}

interface PeerStatesProps {
  readonly peers: readonly WirePeer[] | undefined
  readonly progress: WireOutgoingProgress
}

function PeerStates({ peers, progress }: PeerStatesProps) {
  return (
    <table className="plain">
      <thead>
        <tr>
          <th>{text.columns.peer}</th>
          <th className="w152">{text.columns.state}</th>
          <th className="w120 num wide">{text.columns.serial}</th>
          <th className="w104 num">{text.columns.lag}</th>
          <th className="w88 num wide">{text.columns.since}</th>
        </tr>
      </thead>
      <tbody>
        {progress.peers.map((peer) => (
          <tr key={peer.id}>
            <td>
              <b>{nameOf(peers, peer.id)}</b>
            </td>
            <td>
              <StatusWord tone={TONES[peer.state]}>{text.states[peer.state]}</StatusWord>
            </td>
            <td className="num mono wide">{peer.transferred_serial ?? text.none}</td>
            <td className="num">{lagText(peer, progress.soa_serial)}</td>
            <td className="num soft wide">
              {peer.behind_since === null ? text.none : <Age at={peer.behind_since} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const nameOf = (peers: readonly WirePeer[] | undefined, id: string): string =>
  peers?.find((peer) => peer.id === id)?.name ?? id

function lagText({ state, transferred_serial: serial }: PeerState, newest: number): string {
  if (state !== 'behind' || serial === null) return text.none
  return text.serials(serialsBehind(serial, newest))
}
