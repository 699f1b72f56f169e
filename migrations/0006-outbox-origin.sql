-- Which process wrote an event, so that it knows its own when the dispatcher tells all of them.
alter table outbox add column origin text;
