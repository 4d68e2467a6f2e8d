// Groups of a secondary catalog zone: their names, and the primaries that their zones are transferred from.
import { useRef } from 'react'
import type { WirePeer } from '../../api/transfers.ts'
import { TextField } from '../../parts/text-field.tsx'
import { catalogStrings } from '../../strings/catalogs.ts'
import { PeerBoxes } from '../transfers/peer-choice.tsx'
import { withGroup, type GroupDraft } from './catalog-draft.ts'

const text = catalogStrings.form

interface GroupFieldsProps {
  readonly groups: readonly GroupDraft[]
  readonly peers: readonly WirePeer[]
  readonly onChange: (groups: readonly GroupDraft[]) => void
}

export function GroupFields({ groups, peers, onChange }: GroupFieldsProps) {
  const add = useRef<HTMLButtonElement>(null)
  const first = useRef(groups.length)
  const replace = (changed: GroupDraft): void =>
    onChange(groups.map((group) => (group.key === changed.key ? changed : group)))
  return (
    <fieldset className="stack groups">
      <legend className="small soft">{text.groups}</legend>
      {groups.length > 0 && <p className="small dim">{text.groupsHint}</p>}
      {groups.map((group, index) => (
        <div key={group.key} className="group">
          <TextField
            label={text.group}
            required
            maxLength={255}
            // Not those that were there when the form opened.
            autoFocus={index >= first.current}
            value={group.name}
            onChange={(typed) => replace({ ...group, name: typed })}
          />
          <PeerBoxes
            label={text.groupPrimaries(group.name)}
            none={text.noPrimaries}
            peers={peers}
            chosen={group.peers}
            isRanked
            onChange={(chosen) => replace({ ...group, peers: chosen })}
          />
          <button
            type="button"
            className="link"
            aria-label={text.removeGroup(group.name)}
            onClick={() => {
              onChange(groups.filter(({ key }) => key !== group.key))
              add.current?.focus()
            }}
          >
            {catalogStrings.form.remove}
          </button>
        </div>
      ))}
      <div className="row">
        <button ref={add} type="button" className="btn" onClick={() => onChange(withGroup(groups))}>
          {text.addGroup}
        </button>
      </div>
    </fieldset>
  )
}
