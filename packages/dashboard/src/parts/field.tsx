// A labeled field: hint below, which an error replaces.
import { useId, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly className?: string
  readonly children: (ids: FieldIds) => ReactNode
}

export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}note`
  const hasNote = error !== undefined || hint !== undefined
  return (
    <div className={className === undefined ? 'f' : `f ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <span className="err" id={noteId}>
          <Icon name="wrong" />
          <span>{error}</span>
        </span>
      )}
      {error === undefined && hint !== undefined && (
        <span className="hint" id={noteId}>
          {hint}
        </span>
      )}
    </div>
  )
}
