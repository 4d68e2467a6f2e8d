// The form of a catalog zone of another nameserver, new or not: its primaries, and those of the groups in it.
import { useState } from 'react'
import { catalogKeys, saveSecondaryCatalog, type WireSecondaryCatalog } from '../../api/catalogs.ts'
import type { WirePeer } from '../../api/transfers.ts'
import { zoneKeys } from '../../api/zones.ts'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { useWriteAction } from '../../parts/zone-action.ts'
import { catalogStrings } from '../../strings/catalogs.ts'
import { PeerBoxes } from '../transfers/peer-choice.tsx'
import { primariesOf } from '../transfers/primaries.ts'
import { bareName } from './catalog-name.ts'
import { CatalogNameField } from './catalog-name-field.tsx'
import { catalogDraft, isComplete, NEW_CATALOG, writtenCatalog } from './catalog-draft.ts'
import { GroupFields } from './group-fields.tsx'

const text = catalogStrings.form

interface SecondaryCatalogFormProps {
  readonly accountId: string
  readonly peers: readonly WirePeer[]
  /** Undefined for a new one. */
  readonly catalog: WireSecondaryCatalog | undefined
  readonly onClose: () => void
}

export function SecondaryCatalogForm({ accountId, peers, catalog, onClose }: SecondaryCatalogFormProps) {
  const [name, setName] = useState(catalog === undefined ? '' : bareName(catalog.name))
  const [draft, setDraft] = useState(catalog === undefined ? NEW_CATALOG : catalogDraft(catalog))
  const action = useWriteAction([catalogKeys(accountId), zoneKeys.all])
  const stored = catalog === undefined ? [] : [catalog, ...catalog.groups].flatMap((each) => each.peers)
  const primaries = primariesOf(peers, stored)
  return (
    <SmallForm
      onClose={onClose}
      onSubmit={() =>
        action.mutate(
          {
            run: () => saveSecondaryCatalog(accountId, name.trim(), writtenCatalog(draft)),
            done: catalog === undefined ? catalogStrings.followStarted(name.trim()) : text.saved(name.trim()),
          },
          { onSuccess: onClose },
        )
      }
    >
      {catalog === undefined && (
        <CatalogNameField hint={text.secondaryHint} value={name} onChange={setName} />
      )}
      <PeerBoxes
        label={text.primaries}
        none={text.noPrimaries}
        peers={primaries}
        chosen={draft.peers}
        isRanked
        autoFocus={catalog !== undefined}
        onChange={(chosen) => setDraft({ ...draft, peers: chosen })}
      />
      <GroupFields
        groups={draft.groups}
        peers={primaries}
        onChange={(groups) => setDraft({ ...draft, groups })}
      />
      <Problem error={action.error} />
      <FormFoot
        label={catalog === undefined ? catalogStrings.followSubmit : text.save}
        isBusy={action.isPending || name.trim() === '' || !isComplete(draft)}
        onClose={onClose}
      />
    </SmallForm>
  )
}
