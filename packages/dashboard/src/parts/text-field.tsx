// A labeled field for one line: a name, an address or a number as it is typed.
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

type InputProps = Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange'>

interface TextFieldProps extends InputProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly value: string
  /** Words for people: browsers may check their spelling. */
  readonly isProse?: boolean
  readonly onChange: (value: string) => void
}

export function TextField({ label, hint, error, isProse = false, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          className={isProse ? 'in sans' : 'in'}
          autoComplete="off"
          {...(isProse ? {} : { spellCheck: false, autoCapitalize: 'none' })}
          {...input}
          {...ids}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
