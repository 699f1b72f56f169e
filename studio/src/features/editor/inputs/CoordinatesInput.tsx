import { lazy, Suspense } from 'react'
import classes from './Inputs.module.css'
import type { InputProps } from './input.ts'
import { ShapeInput } from './ShapeInput.tsx'

const WorldMap = lazy(() => import('./WorldMap.tsx'))

/** Two numbers, and the place they name on a map that needs no network. */
export const CoordinatesInput = (props: InputProps) => {
  const { value, onChange, disabled, name } = props
  const { latitude, longitude } = (value ?? {}) as { latitude?: number | null; longitude?: number | null }
  return (
    <>
      <ShapeInput {...props} />
      <div className={classes.mapBox}>
        <Suspense fallback={<div className={classes.map} />}>
          <WorldMap
            name={name}
            at={typeof latitude === 'number' && typeof longitude === 'number' ? [longitude, latitude] : null}
            disabled={disabled}
            onPick={([x, y]) => onChange({ label: 'Coordinates', latitude: y, longitude: x })}
          />
        </Suspense>
      </div>
    </>
  )
}
