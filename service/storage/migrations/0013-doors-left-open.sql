-- Each booking looks whether the door of a locker stands open: few do.
CREATE INDEX open_wall_doors ON wall_doors (locker_id) WHERE door = 'open';
