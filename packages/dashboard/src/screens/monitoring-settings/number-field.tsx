// A whole number of the settings, as it is typed.
import type { ReactNode } from 'react'
import { TextField } from '../../parts/text-field.tsx'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'

export const isWholeNumber = (typed: string): boolean => /^\d+$/.test(typed.trim())

interface NumberFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Says below it if what is typed is no number. */
export const NumberField = ({ value, ...field }: NumberFieldProps) => (
  <TextField
    {...field}
    error={isWholeNumber(value) ? undefined : text.notNumber}
    className="in short"
    inputMode="numeric"
    value={value}
  />
)
