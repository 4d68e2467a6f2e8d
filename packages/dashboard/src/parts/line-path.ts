// A line of a chart as the path of an SVG.

/** Of a path: from left to right over the whole width, zero at the bottom. */
export function linePath(
  rates: readonly number[],
  top: number,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const step = rates.length > 1 ? width / (rates.length - 1) : width
  const points = rates.map(
    (rate, index) => `${(index * step).toFixed(1)} ${(height - (rate / top) * height).toFixed(1)}`,
  )
  return points.length === 1 ? `M${points[0]}h${width}` : `M${points.join('L')}`
}
