// Figures about how well two groups are distinguished.

/** The probability that a positive ranks above a negative; ties count half. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number {
  const all = [
    ...positives.map((value) => ({ value, isPositive: true })),
    ...negatives.map((value) => ({ value, isPositive: false })),
  ].toSorted((a, b) => a.value - b.value)
  let sum = 0
  for (let i = 0; i < all.length;) {
    let j = i
    while (j < all.length && all[j]?.value === all[i]?.value) j += 1
    const rank = (i + 1 + j) / 2
    for (let k = i; k < j; k += 1) if (all[k]?.isPositive === true) sum += rank
    i = j
  }
  const n = positives.length
  return (sum - (n * (n + 1)) / 2) / (n * negatives.length)
}

/** The lowest threshold that at most a fraction `share` of the negatives reaches. */
export function thresholdAt(negatives: readonly number[], share: number): number {
  const sorted = negatives.toSorted((a, b) => b - a)
  const allowed = Math.floor(negatives.length * share)
  return (sorted[allowed] ?? 0) + 1e-6
}

/** A percentage with its 95 % Wilson interval, formatted. */
export function shareText(hits: number, count: number): string {
  if (count === 0) return '—'
  const p = hits / count
  const z = 1.96
  const middle = (p + (z * z) / (2 * count)) / (1 + (z * z) / count)
  const half = (z * Math.sqrt((p * (1 - p)) / count + (z * z) / (4 * count * count))) / (1 + (z * z) / count)
  const percent = (value: number): string =>
    (Math.max(0, Math.min(1, value)) * 100).toFixed(count > 500 ? 2 : 1)
  return `${percent(p)} % (${percent(middle - half)} to ${percent(middle + half)}, n ${count})`
}
