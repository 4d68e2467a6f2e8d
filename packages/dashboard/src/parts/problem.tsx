// What went wrong with a write, beside what it was tried with.
import { Icon } from './icon.tsx'
import { sentenceOf } from './states.tsx'

export function Problem({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  return (
    <p className="bad row nowrap" role="alert">
      <Icon name="wrong" />
      <span>{sentenceOf(error)}</span>
    </p>
  )
}
