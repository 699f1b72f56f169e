export type RecordingTable = {
  environment_id: string
  channel_id: string
  starts_on: Date
  rate: number
  samples: number
  ends_on: Date
  key: string
  size: number
  mime_type: string
  connection: string
}
