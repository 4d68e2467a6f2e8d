// The form of the catalog zone that an account publishes, new or not.
import { useState } from 'react'
import { catalogKeys, saveOwnCatalog, type WireCatalog } from '../../api/catalogs.ts'
import type { WirePeer } from '../../api/transfers.ts'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { useWriteAction } from '../../parts/zone-action.ts'
import { catalogStrings } from '../../strings/catalogs.ts'
import { PeerBoxes } from '../transfers/peer-choice.tsx'
import { bareName } from './catalog-name.ts'
import { CatalogNameField } from './catalog-name-field.tsx'

const text = catalogStrings.form

interface OwnCatalogFormProps {
  readonly accountId: string
  readonly peers: readonly WirePeer[]
  /** Undefined for a new one. */
  readonly catalog: WireCatalog | undefined
  readonly onClose: () => void
  /** Called with the name that it has now. The form may be gone by then. */
  readonly onSaved?: (name: string) => Promise<void>
}

export function OwnCatalogForm({ accountId, peers, catalog, onClose, onSaved }: OwnCatalogFormProps) {
  const [name, setName] = useState(catalog === undefined ? '' : bareName(catalog.name))
  const [chosen, setChosen] = useState<readonly string[]>(catalog === undefined ? [] : catalog.peers)
  const action = useWriteAction([catalogKeys(accountId)])
  const save = (): void =>
    action.mutate(
      {
        run: async () => {
          await saveOwnCatalog(accountId, { name: name.trim(), peers: [...chosen] })
          await onSaved?.(name.trim())
        },
        done: catalog === undefined ? catalogStrings.published(name.trim()) : text.saved(name.trim()),
      },
      { onSuccess: onClose },
    )
  return (
    <SmallForm onClose={onClose} onSubmit={save}>
      <CatalogNameField hint={text.ownHint} value={name} onChange={setName} />
      <PeerBoxes
        label={text.ownPeers}
        none={text.noPeers}
        peers={peers}
        chosen={chosen}
        onChange={setChosen}
      />
      <Problem error={action.error} />
      <FormFoot
        label={catalog === undefined ? catalogStrings.publishSubmit : text.save}
        isBusy={action.isPending || name.trim() === '' || chosen.length === 0}
        onClose={onClose}
      />
    </SmallForm>
  )
}
