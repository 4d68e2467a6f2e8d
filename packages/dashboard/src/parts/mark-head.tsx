// The head of the margin, where rows have their marks: read out, not seen.
import { strings } from '../strings.ts'

export const MarkHead = () => (
  <th className="m">
    <span className="vh">{strings.mark}</span>
  </th>
)
