import { wordDiff } from './diff.ts'
import classes from './Editor.module.css'
import { plainOf } from './plain.ts'

/** What went and what came, word by word. */
export const Difference = ({ before, after }: { before: unknown; after: unknown }) => (
  <div className={classes.diff} dir="auto">
    {wordDiff(plainOf(before), plainOf(after)).map(({ kind, text }, index) => {
      if (kind === 'same') return <span key={index}>{text}</span>
      return kind === 'gone' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>
    })}
  </div>
)
