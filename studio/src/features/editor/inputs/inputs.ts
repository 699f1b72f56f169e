import { type ComponentType, lazy } from 'react'
import { CoordinatesInput } from './CoordinatesInput.tsx'
import { DateTimeInput, DateTimeRangeInput } from './DateInputs.tsx'
import type { InputProps } from './input.ts'
import { ReferenceInput } from './ReferenceInput.tsx'
import { RowsInput, ShapeInput } from './ShapeInput.tsx'
import {
  BooleanInput,
  ColorField,
  FloatInput,
  IntegerInput,
  PostInput,
  StringInput,
  StringsInput,
} from './simple.tsx'
import { TextField } from './TextField.tsx'

/** The input of every type of field. */
export const inputs: Record<string, ComponentType<InputProps>> = {
  Text: TextField,
  Color: ColorField,
  DateTime: DateTimeInput,
  DateTimeRange: DateTimeRangeInput,
  Boolean: BooleanInput,
  Integer: IntegerInput,
  Float: FloatInput,
  Coordinates: CoordinatesInput,
  Quote: ShapeInput,
  Number: ShapeInput,
  Resource: ShapeInput,
  CardItem: ShapeInput,
  MicroblogPost: PostInput,
  PhotoSocialPost: PostInput,
  VideoSitePost: PostInput,
  SocialNetworkPost: PostInput,
  VideoHostPost: PostInput,
  AudioHostPost: PostInput,
  MusicPlaylist: PostInput,
  QuizPost: PostInput,
  BroadcasterPost: PostInput,
  BusinessHours: RowsInput,
  String: StringInput,
  Strings: StringsInput,
  Locations: RowsInput,
  Addresses: RowsInput,
  Events: RowsInput,
  Sales: RowsInput,
  ElementBox: lazy(() => import('./ElementBoxInput.tsx')),
  Publication: ReferenceInput,
  Asset: ReferenceInput,
  Person: ReferenceInput,
  TagBox: ReferenceInput,
}
