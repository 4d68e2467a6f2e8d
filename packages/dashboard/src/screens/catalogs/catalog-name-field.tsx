// The field for the name of a catalog zone.
import { TextField } from '../../parts/text-field.tsx'
import { catalogStrings } from '../../strings/catalogs.ts'

interface CatalogNameFieldProps {
  readonly hint: string
  readonly value: string
  readonly onChange: (name: string) => void
}

export const CatalogNameField = ({ hint, value, onChange }: CatalogNameFieldProps) => (
  <div className="g2 g2p">
    <TextField
      label={catalogStrings.form.name}
      hint={hint}
      required
      autoFocus
      value={value}
      onChange={onChange}
    />
  </div>
)
