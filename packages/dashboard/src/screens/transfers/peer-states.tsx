// Which peers of a zone have its newest serial, and which are behind.
import type { WireOutgoingProgress, WirePeer } from '../../api/transfers.ts'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age } from '../../parts/time.tsx'
import { transferStrings as text } from '../../strings/transfers.ts'
import { serialsBehind } from './serials.ts'

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

export function PeerStates({ peers, progress }: PeerStatesProps) {
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

export const nameOf = (peers: readonly WirePeer[] | undefined, id: string): string =>
  peers?.find((peer) => peer.id === id)?.name ?? id

function lagText({ state, transferred_serial: serial }: PeerState, newest: number): string {
  if (state !== 'behind' || serial === null) return text.none
  return text.serials(serialsBehind(serial, newest))
}
