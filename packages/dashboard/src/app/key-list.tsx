// The keys, on `?`.
import { useEffect, useRef } from 'react'
import { strings } from '../strings.ts'

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="float key-list" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">{strings.keys.title}</h2>
      <dl className="kv">
        {strings.keys.list.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" className="btn">
          {strings.keys.close} <kbd>Esc</kbd>
        </button>
      </form>
    </dialog>
  )
}
