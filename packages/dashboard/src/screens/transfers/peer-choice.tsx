// Which of the account's peers take part in the transfers of a zone.
import { useState, type ReactNode } from 'react'
import type { WirePeer } from '../../api/transfers.ts'
import { transferStrings as text } from '../../strings/transfers.ts'

interface PeerChoiceProps {
  readonly label: string
  readonly peers: readonly WirePeer[]
  readonly chosen: readonly string[]
  readonly isBusy: boolean
  readonly onSave: (chosen: string[]) => void
}

export function PeerChoice({ label, peers, chosen, isBusy, onSave }: PeerChoiceProps) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(chosen))
  const isSame = picked.size === chosen.length && chosen.every((id) => picked.has(id))
  return (
    <PeerBoxes label={label} peers={peers} chosen={[...picked]} onChange={(next) => setPicked(new Set(next))}>
      <button
        type="button"
        className="btn"
        disabled={isBusy || isSame || picked.size === 0}
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
  readonly autoFocus?: boolean
  readonly onChange: (chosen: readonly string[]) => void
  readonly children?: ReactNode
}

export function PeerBoxes({
  label,
  peers,
  none,
  chosen,
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
        </label>
      ))}
      {children}
    </fieldset>
  )
}
