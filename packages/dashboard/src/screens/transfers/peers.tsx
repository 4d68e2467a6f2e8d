// The account's peers: nameservers at the other end, added and edited in place.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { deletePeer, tsigsOf, type WirePeer } from '../../api/transfers.ts'
import { FormButton } from '../../parts/form-button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { Section } from '../../parts/section.tsx'
import { transferStrings as text } from '../../strings/transfers.ts'
import { PeerForm } from './peer-form.tsx'
import { useTransferObjectAction } from './transfer-object-action.ts'

interface PeersProps {
  readonly accountId: string
  readonly peers: readonly WirePeer[]
}

export function Peers({ accountId, peers }: PeersProps) {
  const [edited, setEdited] = useState<WirePeer>()
  const opener = useRef<HTMLButtonElement>(null)
  const removal = useTransferObjectAction(accountId)
  const edit = (peer: WirePeer, button: HTMLButtonElement): void => {
    opener.current = button
    setEdited(peer)
  }
  const close = (): void => {
    setEdited(undefined)
    opener.current?.focus()
  }
  return (
    <Section title={text.peers} note={text.peersNote}>
      <div className="stack">
        {peers.length === 0 && <p className="soft">{text.peersNone}</p>}
        {peers.length > 0 && (
          <PeerTable
            accountId={accountId}
            peers={peers}
            isBusy={removal.isPending}
            onEdit={edit}
            onRemove={(peer) =>
              removal.mutate({ run: () => deletePeer(accountId, peer.id), done: text.deleted(peer.name) })
            }
          />
        )}
        <Problem error={removal.error} />
        {edited === undefined ? (
          <FormButton
            label={text.addPeer}
            form={(done) => <PeerForm accountId={accountId} peer={undefined} onClose={done} />}
          />
        ) : (
          <PeerForm key={edited.id} accountId={accountId} peer={edited} onClose={close} />
        )}
      </div>
    </Section>
  )
}

interface PeerTableProps {
  readonly accountId: string
  readonly peers: readonly WirePeer[]
  readonly isBusy: boolean
  readonly onEdit: (peer: WirePeer, button: HTMLButtonElement) => void
  readonly onRemove: (peer: WirePeer) => void
}

function PeerTable({ accountId, peers, isBusy, onEdit, onRemove }: PeerTableProps) {
  const { data: keys } = useQuery(tsigsOf(accountId))
  return (
    <table className="plain stacked">
      <thead>
        <tr>
          <th>{text.columns.name}</th>
          <th className="w232">{text.columns.address}</th>
          <th className="w232 o1">{text.columns.key}</th>
          <th className="w176 num">
            <span className="vh">{text.columns.more}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {peers.map((peer) => (
          <tr key={peer.id}>
            <td>
              <b>{peer.name}</b>
            </td>
            <td className="mono">{addressText(peer)}</td>
            <td className="mono o1 opt2">{keys?.find(({ id }) => id === peer.tsig_id)?.name ?? text.none}</td>
            <td className="num">
              <button
                type="button"
                className="link"
                aria-label={text.editPeer(peer.name)}
                onClick={({ currentTarget }) => onEdit(peer, currentTarget)}
              >
                {text.edit}
              </button>{' '}
              <DeleteButton
                text={text.remove}
                label={text.deletePeer(peer.name)}
                isBusy={isBusy}
                onDelete={() => onRemove(peer)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const DNS_PORT = 53

/** The port only if it is not that of DNS. */
function addressText({ ip, port }: WirePeer): string {
  if (ip === undefined) return text.none
  return port === DNS_PORT ? ip : text.addressAndPort(ip, port)
}
