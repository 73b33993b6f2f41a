"""What went wrong: incidents seen or reported, late ones too, and the rulings on them with who may give them and what
they do. The players' options, interruptions and corrections of the record belong to it.
"""
