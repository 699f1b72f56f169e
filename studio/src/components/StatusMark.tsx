import classes from './StatusMark.module.css'

export type Meaning = 'none' | 'started' | 'waiting' | 'done' | 'danger' | 'information' | 'gone'

/** A meaning by shape and colour beside its word. */
export const StatusMark = ({ meaning, children }: { meaning: Meaning; children?: string }) => (
  <span className={classes.status}>
    <span className={classes.mark} data-meaning={meaning} aria-hidden />
    {children && <span className="ellipsis">{children}</span>}
  </span>
)
