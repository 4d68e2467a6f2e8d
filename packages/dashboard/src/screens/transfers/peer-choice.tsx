// Which of the account's peers take part in the transfers of a zone.
import { useState } from 'react'
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
  const toggle = (id: string): void => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    setPicked(next)
  }
  return (
    <fieldset className="choice">
      <legend className="small soft">{label}</legend>
      {peers.map((peer) => (
        <label key={peer.id} className="opt">
          <input
            type="checkbox"
            className="ck"
            checked={picked.has(peer.id)}
            onChange={() => toggle(peer.id)}
          />
          <span>{peer.name}</span>
          {peer.ip !== undefined && <span className="mono dim">{peer.ip}</span>}
        </label>
      ))}
      <button
        type="button"
        className="btn"
        disabled={isBusy || isSame || picked.size === 0}
        onClick={() => onSave([...picked])}
      >
        {text.save}
      </button>
    </fieldset>
  )
}
