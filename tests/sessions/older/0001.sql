BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE entries (
	number INTEGER NOT NULL, 
	session VARCHAR(32) NOT NULL, 
	seq INTEGER NOT NULL, 
	time VARCHAR(32) NOT NULL, 
	source VARCHAR(16) NOT NULL, 
	event VARCHAR NOT NULL, 
	PRIMARY KEY (number), 
	CONSTRAINT one_entry_per_number UNIQUE (session, seq), 
	FOREIGN KEY(session) REFERENCES sessions (id)
);
INSERT INTO "entries" VALUES(1,'eventful',1,'2026-05-08T20:30:00.123456Z','button','start kingdomino harmony with "Ana “A”" pink, "Zoë 🎲" blue');
INSERT INTO "entries" VALUES(2,'eventful',2,'2026-05-08T20:30:01.123457Z','camera','line 11 16 21 47');
INSERT INTO "entries" VALUES(3,'eventful',3,'2026-05-08T20:30:02.123458Z','button','kings 1 2 1 2');
INSERT INTO "entries" VALUES(4,'eventful',4,'2026-05-08T20:30:03.123459Z','demo','1 takes 47');
INSERT INTO "entries" VALUES(5,'eventful',5,'2026-05-08T20:30:04.123460Z','command','2 takes 11');
INSERT INTO "entries" VALUES(6,'eventful',6,'2026-05-08T20:30:05.123461Z','page','1 takes 16');
INSERT INTO "entries" VALUES(7,'eventful',7,'2026-05-08T20:30:06.123462Z','camera','2 takes 21');
INSERT INTO "entries" VALUES(8,'eventful',8,'2026-05-08T20:30:07.123463Z','button','line 28 31 39 48');
INSERT INTO "entries" VALUES(9,'eventful',9,'2026-05-08T20:30:08.123464Z','demo','2 lays 11 at -1,1 E');
INSERT INTO "entries" VALUES(10,'eventful',10,'2026-05-08T20:30:09.123465Z','command','2 takes 28');
INSERT INTO "entries" VALUES(11,'eventful',11,'2026-05-08T20:30:10.123466Z','page','1 lays 16 at 0,1 S');
INSERT INTO "entries" VALUES(12,'eventful',12,'2026-05-08T20:30:11.123467Z','camera','1 takes 31');
INSERT INTO "entries" VALUES(13,'eventful',13,'2026-05-08T20:30:12.123468Z','button','2 lays 21 at 1,-1 S');
INSERT INTO "entries" VALUES(14,'eventful',14,'2026-05-08T20:30:13.123469Z','demo','2 takes 39');
INSERT INTO "entries" VALUES(15,'eventful',15,'2026-05-08T20:30:14.123470Z','command','1 lays 47 at 1,-1 W');
INSERT INTO "entries" VALUES(16,'eventful',16,'2026-05-08T20:30:15.123471Z','page','1 takes 48');
INSERT INTO "entries" VALUES(17,'eventful',17,'2026-05-08T20:30:16.123472Z','camera','line 10 14 32 46');
INSERT INTO "entries" VALUES(18,'eventful',18,'2026-05-08T20:30:17.123473Z','button','2 lays 28 at -2,0 E');
INSERT INTO "entries" VALUES(19,'eventful',19,'2026-05-08T20:30:18.123474Z','demo','2 takes 46');
INSERT INTO "entries" VALUES(20,'eventful',20,'2026-05-08T20:30:19.123475Z','command','1 lays 31 at -1,0 N');
INSERT INTO "entries" VALUES(21,'eventful',21,'2026-05-08T20:30:20.123476Z','page','1 takes 32');
INSERT INTO "entries" VALUES(22,'eventful',22,'2026-05-08T20:30:21.123477Z','camera','withdraw 21');
INSERT INTO "entries" VALUES(23,'eventful',23,'2026-05-08T20:30:22.123478Z','button','withdraw 20');
INSERT INTO "entries" VALUES(24,'eventful',24,'2026-05-08T20:30:23.123479Z','demo','withdraw 19');
INSERT INTO "entries" VALUES(25,'eventful',25,'2026-05-08T20:30:24.123480Z','command','restore 19');
INSERT INTO "entries" VALUES(26,'eventful',26,'2026-05-08T20:30:25.123481Z','page','correct 9: 2 lays 11 at -1,1 E because "it \"fell\"; 7: nothing\u00a0"');
CREATE TABLE sessions (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	created VARCHAR(32) NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "sessions" VALUES('eventful','kingdomino','2026-05-08T20:30:00.123456Z');
COMMIT;
