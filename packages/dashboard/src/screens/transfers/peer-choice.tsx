// Which of the account's peers take part in the transfers of a zone.
import { useState, type ReactNode } from 'react'
import type { WirePeer } from '../../api/transfers.ts'
import { transferStrings as text } from '../../strings/transfers.ts'
import { isSameOrder, rankOf } from './primaries.ts'

interface PeerChoiceProps {
  readonly label: string
  readonly peers: readonly WirePeer[]
  readonly chosen: readonly string[]
  /** Whether their order matters. */
  readonly isRanked?: boolean
  readonly isBusy: boolean
  readonly onSave: (chosen: string[]) => void
}

export function PeerChoice({ label, peers, chosen, isRanked = false, isBusy, onSave }: PeerChoiceProps) {
  const [picked, setPicked] = useState(chosen)
  const isSame = isRanked ? isSameOrder(picked, chosen) : isSameOrder(picked.toSorted(), chosen.toSorted())
  return (
    <PeerBoxes label={label} peers={peers} chosen={picked} isRanked={isRanked} onChange={setPicked}>
      <button
        type="button"
        className="btn"
        disabled={isBusy || isSame || picked.length === 0}
        onClick={() => onSave([...picked])}
      >
        {text.save}
      </button>
    </PeerBoxes>
  )
}

interface PeerBoxesProps {
  readonly label: string
  readonly peers: readonly WirePeer[]
  /** What stands there without peers. */
  readonly none?: string
  /** In the order in which they were chosen. */
  readonly chosen: readonly string[]
  /** Shows that order. */
  readonly isRanked?: boolean
  readonly autoFocus?: boolean
  readonly onChange: (chosen: readonly string[]) => void
  readonly children?: ReactNode
}

export function PeerBoxes({
  label,
  peers,
  none,
  chosen,
  isRanked = false,
  autoFocus = false,
  onChange,
  children,
}: PeerBoxesProps) {
  return (
    <fieldset className="choice">
      <legend className="small soft">{label}</legend>
      {peers.length === 0 && none !== undefined && <p className="soft">{none}</p>}
      {peers.map((peer, index) => (
        <label key={peer.id} className="opt">
          <input
            type="checkbox"
            className="ck"
            autoFocus={autoFocus && index === 0}
            checked={chosen.includes(peer.id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, peer.id] : chosen.filter((id) => id !== peer.id))
            }
          />
          <span>{peer.name}</span>
          {peer.ip !== undefined && <span className="mono dim">{peer.ip}</span>}
          {isRanked && <Rank number={rankOf(peer.id, chosen)} />}
        </label>
      ))}
      {children}
    </fieldset>
  )
}

const Rank = ({ number }: { readonly number: number | undefined }) =>
  number !== undefined && <span className="small soft">{text.rank(number)}</span>
