"""Films out of real photos of finished tables: what is made of them (`table`), and by whom they are watched."""
